/** The logo: three houses in a row. Decorative, because the name next to it has the meaning. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M2 28V14.5L7 9l5 5.5V28z" fill="#b5533a" />
      <path d="M11 28V9.5L16 4l5 5.5V28z" fill="#2b7459" />
      <path d="M20 28V14.5L25 9l5 5.5V28z" fill="#c98a1b" />
      <path d="M14 28v-6h4v6zM5.5 17h3v3.5h-3zM23.5 17h3v3.5h-3zM14.5 12h3v4h-3z" fill="#fdfbf6" />
    </svg>
  );
}
