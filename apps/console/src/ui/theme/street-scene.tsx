import classes from './street-scene.module.css';

interface SceneHouse {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly roof: 'gable' | 'step' | 'flat' | 'bell';
  readonly tone: 'brick' | 'pine' | 'ochre' | 'harbour' | 'stone';
  readonly lit: readonly number[];
}

const HOUSES: readonly SceneHouse[] = [
  { x: 0, width: 62, height: 96, roof: 'flat', tone: 'stone', lit: [1] },
  { x: 62, width: 56, height: 122, roof: 'gable', tone: 'brick', lit: [0, 3] },
  { x: 118, width: 66, height: 108, roof: 'step', tone: 'pine', lit: [2] },
  { x: 184, width: 54, height: 134, roof: 'bell', tone: 'ochre', lit: [1, 4] },
  { x: 238, width: 64, height: 114, roof: 'gable', tone: 'harbour', lit: [0] },
  { x: 302, width: 58, height: 100, roof: 'flat', tone: 'brick', lit: [3] },
  { x: 360, width: 62, height: 126, roof: 'step', tone: 'stone', lit: [2, 5] },
  { x: 422, width: 58, height: 110, roof: 'gable', tone: 'pine', lit: [1] },
];
const GROUND = 168;

/** The illustration on the sign-in pages. Screen readers skip it. */
export function StreetScene() {
  return (
    <svg
      className={classes.scene}
      viewBox="0 0 480 180"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      {HOUSES.map((house) => (
        <HouseShape key={house.x} house={house} />
      ))}
      <rect x="0" y={GROUND} width="480" height="12" className={classes.ground} />
    </svg>
  );
}

function HouseShape({ house }: { house: SceneHouse }) {
  const top = GROUND - house.height;
  const windowWidth = 9;
  const columns = [house.width * 0.26, house.width * 0.74];
  const rows = [top + 34, top + 56, top + 78].filter((y) => y < GROUND - 34);
  const windows = rows.flatMap((y) => columns.map((x) => ({ x: house.x + x - windowWidth / 2, y })));
  return (
    <g className={classes[house.tone]}>
      <path d={roofPath(house, top)} fill="currentColor" />
      {windows.map((pane, index) => (
        <rect
          key={`${pane.x}-${pane.y}`}
          x={pane.x}
          y={pane.y}
          width={windowWidth}
          height="13"
          rx="1"
          className={house.lit.includes(index) ? classes.lit : classes.dark}
        />
      ))}
      <path
        d={`M${house.x + house.width / 2 - 6} ${GROUND}v-20a6 6 0 0 1 12 0v20z`}
        className={classes.door}
      />
    </g>
  );
}

function roofPath({ x, width, roof }: SceneHouse, top: number): string {
  const right = x + width;
  const middle = x + width / 2;
  const body = `V${GROUND}H${x}z`;
  if (roof === 'gable') return `M${x} ${top + 20}L${middle} ${top - 4}L${right} ${top + 20}${body}`;
  if (roof === 'bell')
    return `M${x} ${top + 20}C${x + 14} ${top + 18} ${middle - 14} ${top - 2} ${middle} ${top - 6}C${middle + 14} ${top - 2} ${right - 14} ${top + 18} ${right} ${top + 20}${body}`;
  if (roof === 'step') {
    const step = width / 5;
    return `M${x} ${top + 22}V${top + 14}H${x + step}V${top + 5}H${x + 2 * step}V${top - 4}H${x + 3 * step}V${top + 5}H${x + 4 * step}V${top + 14}H${right}${body}`;
  }
  return `M${x} ${top + 10}H${x - 0}V${top + 6}H${right}${body}`;
}
