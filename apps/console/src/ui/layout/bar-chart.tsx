import classes from './bar-chart.module.css';

export interface Bar {
  /** The tooltip, such as `Tue 4 Nov, 14:00: 120 requests`. */
  readonly label: string;
  readonly value: number;
  /** The highlighted part of the value, such as failed requests. */
  readonly marked?: number;
}

interface BarChartProps {
  /** A description of the chart for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly from: string;
  readonly to: string;
  readonly heightPx?: number;
}

const WIDTH = 100;

/**
 * A bar chart over time. It is drawn with plain SVG, because a chart library would be larger than the screens
 * that have charts.
 */
export function BarChart({ label, bars, from, to, heightPx = 140 }: BarChartProps) {
  const top = Math.max(1, ...bars.map((bar) => bar.value));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <figure className={classes.figure}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${WIDTH} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        style={{ height: heightPx }}
      >
        {bars.map((bar, index) => {
          const height = (bar.value / top) * 100;
          const marked = ((bar.marked ?? 0) / top) * 100;
          return (
            <g key={index}>
              <title>{bar.label}</title>
              <rect x={index * step} width={step} y={0} height={100} className={classes.catch} />
              <rect
                x={index * step + step * 0.1}
                width={step * 0.8}
                y={100 - height}
                height={height}
                className={classes.bar}
              />
              {marked > 0 ? (
                <rect
                  x={index * step + step * 0.1}
                  width={step * 0.8}
                  y={100 - Math.max(marked, 1.5)}
                  height={Math.max(marked, 1.5)}
                  className={classes.marked}
                />
              ) : null}
            </g>
          );
        })}
      </svg>
      <figcaption className={classes.axis}>
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}
