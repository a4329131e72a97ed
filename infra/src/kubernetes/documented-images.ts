/** The images that the list in docs/operations/kubernetes.md names, for registries without the internet. */
export function documentedImages(text: string): string[] {
  const [, list = ''] = /^## Air-gapped installations\n[^]*?^```\n([^]*?)^```$/m.exec(text) ?? [];
  return list.split('\n').flatMap((line) => (line === '' ? [] : (line.split(' ')[0] ?? [])));
}
