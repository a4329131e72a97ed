/** Where an export is not what was recorded. */
export class Broken extends Error {}
