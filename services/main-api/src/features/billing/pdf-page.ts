import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { trueTypeOf } from './woff.ts';

/** A4 in points, and what stays white. */
export const paper = { width: 595.28, height: 841.89, margin: 50 };
export const right = paper.width - paper.margin;

export const ink = { text: '#1a2230', soft: '#6b7482', line: '#d5dae1', accent: '#1f5fbf', fill: '#f3f6fa' };

export interface Style {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
  /** what is longer is cut, with an ellipsis */
  width?: number;
}

const fontFile = (weight: 400 | 700) => {
  const name = `@fontsource/dejavu-sans/files/dejavu-sans-latin-${weight}-normal.woff`;
  return trueTypeOf(readFileSync(createRequire(import.meta.url).resolve(name)));
};
let fonts: { regular: Buffer; bold: Buffer } | undefined;

/** A document that is written page by page: what is finished can be taken from it while it goes on. */
export class PdfPage {
  readonly doc: PDFKit.PDFDocument;

  /** @param createdAt makes the same document of the same content */
  constructor(info: Record<'Title' | 'Author' | 'Keywords', string>, createdAt: Date) {
    this.doc = new PDFDocument({
      ...{ size: 'A4', margin: 0, autoFirstPage: false, lang: 'en' },
      info: { ...info, Creator: 'Sluice', Producer: 'Sluice', CreationDate: createdAt },
    });
    fonts ??= { regular: fontFile(400), bold: fontFile(700) };
    this.doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  }

  /** Writes one line of text. */
  text(content: string, x: number, y: number, style: Style = {}): void {
    const { size = 9, bold = false, color = ink.text, align = 'left', width } = style;
    const { doc } = this;
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
    const shown = width === undefined ? content : this.#cut(content, width);
    const start = align === 'right' ? x - doc.widthOfString(shown) : x;
    doc.text(shown, start, y, { lineBreak: false });
  }

  rule(y: number, color = ink.line): void {
    this.doc.moveTo(paper.margin, y).lineTo(right, y).lineWidth(0.7).strokeColor(color).stroke();
  }

  box(x: number, y: number, width: number, height: number): void {
    this.doc.roundedRect(x, y, width, height, 4).fillColor(ink.fill).fill();
  }

  /** What is written by now. */
  *written(): Generator<Uint8Array> {
    for (;;) {
      const piece = this.doc.read() as Uint8Array | null;
      if (piece === null) return;
      yield piece;
    }
  }

  #cut(content: string, width: number): string {
    const { doc } = this;
    if (doc.widthOfString(content) <= width) return content;
    const characters = [...content];
    let [fits, tooLong] = [0, characters.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if (doc.widthOfString(`${characters.slice(0, middle).join('')}…`) <= width) fits = middle;
      else tooLong = middle;
    }
    return `${characters.slice(0, fits).join('').trimEnd()}…`;
  }
}
