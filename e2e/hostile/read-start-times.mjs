// @ts-check
/**
 * Returns the start times of all processes as text. When the text is the same later, no process has
 * restarted.
 * @param {Readonly<Record<string, string>>} metricsUrls by name of the process
 */
export async function readStartTimes(metricsUrls) {
  const lines = [];
  for (const [name, url] of Object.entries(metricsUrls)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const began = /^process_start_time_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
    if (began === undefined) throw new Error(`${name} does not tell when it began`);
    lines.push(`${name} since ${began}`);
  }
  return lines;
}
