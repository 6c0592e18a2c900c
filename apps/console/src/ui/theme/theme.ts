import { createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core';

/** The color of actions, links and deployed states. */
const pine: MantineColorsTuple = [
  '#eef6f2',
  '#dcebe3',
  '#bbd8ca',
  '#94c2ad',
  '#6fab92',
  '#4f957a',
  '#3a8468',
  '#2b7459',
  '#1f6249',
  '#144a36',
];
/** The color of production and of destructive actions. */
const brick: MantineColorsTuple = [
  '#fbf0ec',
  '#f5ddd5',
  '#ecbdae',
  '#e29b85',
  '#d67c61',
  '#c96444',
  '#bb5233',
  '#a84529',
  '#8f3820',
  '#6f2a17',
];
/** The color of the development environment. */
const harbour: MantineColorsTuple = [
  '#edf4f9',
  '#d8e7f1',
  '#b2cfe3',
  '#88b4d3',
  '#639cc4',
  '#4585b3',
  '#34739f',
  '#29638c',
  '#1f5276',
  '#153c58',
];
/** The color of waiting states and of other environments. */
const ochre: MantineColorsTuple = [
  '#fcf5e6',
  '#f7e8c6',
  '#efd394',
  '#e5bc60',
  '#d9a536',
  '#c08b1f',
  '#a17315',
  '#856010',
  '#6d4e0c',
  '#523a08',
];
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f3f0ea',
  '#e9e5dd',
  '#dcd7cd',
  '#c6c1b6',
  '#a29e94',
  '#7a776f',
  '#5d5b55',
  '#3d3d39',
  '#262724',
];
const dark: MantineColorsTuple = [
  '#dde3e0',
  '#bcc5c1',
  '#9ca7a2',
  '#74807b',
  '#414a46',
  '#313936',
  '#242b29',
  '#161a19',
  '#101413',
  '#0a0d0c',
];

/**
 * Mantine's theme, which the build writes into the style sheet. With `primaryShade`, white text on filled
 * buttons has a contrast above 4.5:1 in both color schemes.
 */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 7 },
  colors: { pine, brick, harbour, ochre, gray, dark },
  black: '#1d221f',
  white: '#ffffff',
  // The system's font is used, because the browser looks up each named font that is missing before the first
  // layout.
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '640',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.25' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close menu' } } },
  },
});
