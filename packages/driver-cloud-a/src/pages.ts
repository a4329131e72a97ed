export async function itemsOf<Page, Item>(
  pages: AsyncIterable<Page>,
  read: (page: Page) => Item[] | undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(read(page) ?? []));
  return items;
}
