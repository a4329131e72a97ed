declare module 'subset-font' {
  interface Options {
    targetFormat: 'woff2';
    variationAxes?: Record<string, { min: number; max: number; default: number }>;
    /** tags of OpenType features; all others are left out */
    keepFeatures: readonly string[];
    noHinting: boolean;
  }
  /** @returns the part of a font that these characters need */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
