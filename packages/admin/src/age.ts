/** How long ago, in its largest unit. */
export function ageOf(time: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - time.getTime()) / 1000));
  const [value, unit] =
    seconds < 60
      ? [seconds, 's']
      : seconds < 3_600
        ? [seconds / 60, 'min']
        : seconds < 86_400
          ? [seconds / 3_600, 'h']
          : [seconds / 86_400, 'd'];
  return `${Math.floor(Number(value))} ${unit}`;
}
