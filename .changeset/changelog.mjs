/**
 * How `changeset version` writes CHANGELOG.md: the text of a changeset as it is, as one item or as the items that it lists. Operators
 * read it, so it names no commits.
 */
export default {
  getReleaseLine: async ({ summary }) => {
    const text = summary.trim();
    return text.startsWith('- ') ? text : `- ${text.replaceAll(/\n(?=.)/g, '\n  ')}`;
  },
  // there is one package
  getDependencyReleaseLine: async () => '',
};
