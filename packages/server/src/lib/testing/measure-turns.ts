/**
 * Measures the processor time of each turn of the event loop.
 *
 * @returns A function that ends the measurement, and returns the longest time in milliseconds.
 */
export function measureTurns(): () => number {
  let longest = 0;
  let last = process.cpuUsage();
  let running = true;
  const measure = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
    if (running) setImmediate(measure);
  };
  setImmediate(measure);
  return () => {
    running = false;
    return longest;
  };
}
