import { NativeSelect } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { QueryResponse } from '../../../data/query-runs/run-query.js';
import { shapeChart, suggestChart, type ChartShape } from './chart-shape.js';
import classes from '../query.module.css';

/** The width of the chart in pixels until the available width is known. */
const WIDTH_FIRST = 700;
const LEFT = 46;
const BOTTOM = 34;
/** The width of the label below a point, in pixels. */
const LABEL_WIDTH = 82;

/**
 * Draws the rows of a result as bars or a line. One column is on the x axis, and a numeric one is on the y
 * axis.
 */
export function ResultChart({ response }: { response: QueryResponse }) {
  const suggested = suggestChart(response);
  const [x, setX] = useState(suggested?.x ?? 0);
  const [y, setY] = useState(suggested?.y ?? 1);
  const names = response.columns.map((column, index) => ({ value: String(index), label: column.name }));
  if (suggested === null)
    return (
      <p className={classes.none}>A chart needs at least two rows, a numeric column and another column.</p>
    );
  return (
    <>
      <div className={classes.chartTools}>
        <NativeSelect
          size="xs"
          label="X axis"
          data={names}
          value={String(x)}
          onChange={(event) => setX(Number(event.currentTarget.value))}
        />
        <NativeSelect
          size="xs"
          label="Y axis"
          data={names}
          value={String(y)}
          onChange={(event) => setY(Number(event.currentTarget.value))}
        />
      </div>
      <Chart
        shape={shapeChart(response, x, y)}
        label={`${response.columns[y]?.name ?? ''} by ${response.columns[x]?.name ?? ''}`}
      />
    </>
  );
}

function Chart({ shape, label }: { shape: ChartShape; label: string }) {
  const { points, min, max, kind } = shape;
  // The chart is drawn in the available width. If it were scaled down instead, its text would be unreadable
  // on a phone.
  const { ref, width: capacity } = useElementSize<HTMLDivElement>();
  const whole = Math.round(capacity) || WIDTH_FIRST;
  const height = Math.min(280, Math.max(200, Math.round(whole * 0.31)));
  const span = max - min || 1;
  const width = whole - LEFT - 10;
  const step = width / Math.max(1, points.length);
  const toY = (value: number): number => 10 + (height - BOTTOM - 10) * (1 - (value - min) / span);
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor(width / LABEL_WIDTH))));
  const middle = (index: number): number => LEFT + step * (index + 0.5);
  return (
    <div ref={ref}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${whole} ${height}`}
        role="img"
        aria-label={`Chart: ${label}, ${points.length} points from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`}
      >
        {[min, (min + max) / 2, max].map((value) => (
          <g key={value}>
            <line
              x1={LEFT}
              x2={whole - 10}
              y1={toY(value)}
              y2={toY(value)}
              className={classes.axis}
              strokeDasharray={value === 0 ? undefined : '2 4'}
            />
            <text x={LEFT - 8} y={toY(value) + 4} textAnchor="end">
              {new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)}
            </text>
          </g>
        ))}
        {kind === 'line' ? (
          <polyline
            className={classes.stroke}
            points={points.map((point, index) => `${middle(index)},${toY(point.value)}`).join(' ')}
          />
        ) : (
          points.map((point, index) => (
            <rect
              key={`${index} ${point.label}`}
              className={classes.bar}
              x={middle(index) - Math.min(30, step * 0.36)}
              width={Math.min(60, step * 0.72)}
              y={Math.min(toY(point.value), toY(0))}
              height={Math.max(1, Math.abs(toY(point.value) - toY(0)))}
              rx={2}
            >
              <title>{`${point.label}: ${point.value.toLocaleString('en')}`}</title>
            </rect>
          ))
        )}
        {points.map((point, index) =>
          index % every === 0 ? (
            <text key={`${index} ${point.label}`} x={middle(index)} y={height - 12} textAnchor="middle">
              {point.label.length > 12 ? `${point.label.slice(0, 11)}…` : point.label}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}
