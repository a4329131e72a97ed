/** Has the browser save a text, bytes, or several of them as a file. */
export function saveFile(name: string, content: BlobPart | BlobPart[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
