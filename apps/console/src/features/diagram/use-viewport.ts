import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';

/** The position of the drawing in its frame: the pixels of its origin, and its scale. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const SCALE_MIN = 0.1;
const SCALE_MAX = 2.5;
const STEP_PIXELS = 70;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Lets the user zoom and pan the diagram with the wheel, by dragging, by pinching and with keys. */
export function useViewport(frame: RefObject<HTMLElement | null>, content: Size) {
  const [viewport, setViewport] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const sizeOf = (): Size => ({
    width: frame.current?.clientWidth ?? 0,
    height: frame.current?.clientHeight ?? 0,
  });
  const zoomAt = (factor: number, at?: { x: number; y: number }): void =>
    setViewport((now) => {
      const { width, height } = sizeOf();
      const point = at ?? { x: width / 2, y: height / 2 };
      const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, now.scale * factor));
      return {
        scale,
        x: point.x - ((point.x - now.x) / now.scale) * scale,
        y: point.y - ((point.y - now.y) / now.scale) * scale,
      };
    });
  const moveBy = (x: number, y: number): void =>
    setViewport((now) => ({ ...now, x: now.x + x, y: now.y + y }));
  const fit = (): void => setViewport(fitInto(content, sizeOf()));
  const centre = (x: number, y: number): void =>
    setViewport((now) => {
      const scale = Math.max(0.8, now.scale);
      return { scale, x: sizeOf().width / 2 - x * scale, y: sizeOf().height / 2 - y * scale };
    });

  useEffect(fit, [content.width, content.height]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey || Math.abs(event.deltaY) > Math.abs(event.deltaX))
        zoomAt(Math.exp(-event.deltaY * 0.0016), { x: event.clientX - box.left, y: event.clientY - box.top });
      else moveBy(-event.deltaX, 0);
    };
    // React's wheel listeners are passive and cannot stop the page from scrolling, so this listener is added
    // without React.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) moveBy(now.x - before.x, now.y - before.y);
    else {
      const box = event.currentTarget.getBoundingClientRect();
      zoomAt(
        Math.hypot(now.x - other.x, now.y - other.y) /
          Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)),
        { x: (now.x + other.x) / 2 - box.left, y: (now.y + other.y) / 2 - box.top },
      );
    }
    pointers.current.set(event.pointerId, now);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void =>
    void pointers.current.delete(event.pointerId);
  const onKeyDown = (event: KeyboardEvent): void => {
    const act: (() => void) | undefined = {
      ArrowLeft: () => moveBy(STEP_PIXELS, 0),
      ArrowRight: () => moveBy(-STEP_PIXELS, 0),
      ArrowUp: () => moveBy(0, STEP_PIXELS),
      ArrowDown: () => moveBy(0, -STEP_PIXELS),
      '+': () => zoomAt(1.25),
      '=': () => zoomAt(1.25),
      '-': () => zoomAt(0.8),
      '0': fit,
    }[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return {
    viewport,
    zoomAt,
    fit,
    centre,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave: onPointerUp,
      onKeyDown,
    },
  };
}

/**
 * Fits the drawing into the frame without enlarging it. If the drawing is much longer than the frame, the
 * view starts at the top left of the drawing.
 */
function fitInto(content: Size, frame: Size): Viewport {
  if (content.width === 0 || frame.width === 0) return { x: 0, y: 0, scale: 1 };
  const scale = Math.min(
    1,
    Math.max(SCALE_MIN, Math.min(frame.width / content.width, frame.height / content.height)),
  );
  return {
    scale,
    x: Math.max(0, (frame.width - content.width * scale) / 2),
    y: Math.max(0, (frame.height - content.height * scale) / 2),
  };
}
