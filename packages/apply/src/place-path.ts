/** What was written, segment by segment. */
export const segmentsOf = (text: string): string[] => text.split('/').filter((segment) => segment !== '');

/** The name that a segment stands for. */
export function nameOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A name as a segment of a place. */
const segmentOf = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F');

/** A place as it is written: `payments/dev/orders`. */
export const pathOf = (...names: string[]): string => names.map(segmentOf).join('/');
