/** levels of objects and arrays that a body may have: the deepest of the API has six */
export const mostLevels = 32;
/** fields and entries that a body may have, on all levels together: the largest role has some 3,000 */
export const mostValues = 10_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * How many values JSON has, or undefined when these or its levels are more than any request needs: seen in one pass over the
 * bytes, so that nothing that recurses, or works for each value, ever gets more. Of what is not JSON it says nothing.
 */
export function countValues(json: Uint8Array): number | undefined {
  let levels = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at);
        break;
      case openBracket:
      case openBrace:
        levels++;
        values++;
        break;
      case closeBracket:
      case closeBrace:
        levels--;
        break;
      case comma:
        values++;
        break;
      default:
    }
    if (levels > mostLevels || values > mostValues) return undefined;
  }
  return values;
}

/** @param start where its opening quote stands @returns where its closing quote stands, or the end of the text */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
