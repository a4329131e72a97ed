import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { isOutlined, outlineOf } from './outlines.ts';
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

/** of the size of the font: where its line is below the top, and how much outlines are widened */
const outlinedAscent = 0.93;
const strokes = { regular: 0.03, bold: 0.07 };

/** A text in parts that are outlined, and others. */
function runsOf(text: string): string[] {
  if (!isOutlined(text)) return [text];
  const runs: string[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    if (last !== undefined && isOutlined(last) === isOutlined(character))
      runs[runs.length - 1] = last + character;
    else runs.push(character);
  }
  return runs;
}

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
    const shown = width === undefined ? content : this.#cut(content, width, size);
    let start = align === 'right' ? x - this.#width(shown, size) : x;
    for (const run of runsOf(shown)) {
      if (isOutlined(run)) this.#outlined(run, start, y, { size, bold, color });
      else doc.text(run, start, y, { lineBreak: false });
      start += this.#width(run, size);
    }
  }

  /** Characters that the font lacks, as outlines, with the text that they show for programs that read it. */
  #outlined(
    run: string,
    x: number,
    y: number,
    { size, bold, color }: Required<Pick<Style, 'size' | 'bold' | 'color'>>,
  ): void {
    const { doc } = this;
    doc.markContent('Span', { actual: run });
    let left = x;
    for (const character of run) {
      const outline = outlineOf(character);
      if (outline) {
        const scale = size / outline.unitsPerEm;
        doc
          .save()
          .translate(left, y + size * outlinedAscent)
          .scale(scale, -scale);
        // the lightest weight is the one that is stored
        doc
          .path(outline.path)
          .lineWidth((bold ? strokes.bold : strokes.regular) * outline.unitsPerEm)
          .fillAndStroke(color, color);
        doc.restore();
      } else doc.text(character, left, y, { lineBreak: false });
      left += this.#width(character, size);
    }
    doc.endMarkedContent();
  }

  #width(content: string, size: number): number {
    return runsOf(content).reduce((sum, run) => {
      if (!isOutlined(run)) return sum + this.doc.widthOfString(run);
      return [...run].reduce((width, character) => {
        const outline = outlineOf(character);
        return (
          width +
          (outline ? (outline.advance / outline.unitsPerEm) * size : this.doc.widthOfString(character))
        );
      }, sum);
    }, 0);
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

  #cut(content: string, width: number, size: number): string {
    if (this.#width(content, size) <= width) return content;
    const characters = [...content];
    let [fits, tooLong] = [0, characters.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if (this.#width(`${characters.slice(0, middle).join('')}…`, size) <= width) fits = middle;
      else tooLong = middle;
    }
    return `${characters.slice(0, fits).join('').trimEnd()}…`;
  }
}
