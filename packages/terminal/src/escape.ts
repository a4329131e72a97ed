/**
 * Controls of terminals, and marks that reorder or hide text. A name from the server can hold them.
 * Unicode's classes: Cc (controls), Bidi_Control, and line and paragraph separators.
 */
// eslint-disable-next-line no-control-regex -- these are what is meant
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Text of one line that can be shown on a terminal. */
export const visible = (text: string): string => text.replace(controls, escaped);

/** JSON escapes only some of them. The escapes stay JSON: `\u009b`. Its own line breaks stay. */
export const visibleJson = (json: string): string =>
  json.replace(controls, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
