export type SubjectCount = [subject: string, messages: number];

/** Subjects that begin alike. Its children are made when they are asked for. */
export interface SubjectNode {
  /** the last part of its name */
  token: string;
  /** all of its name; with `.>` where it has parts */
  subject: string;
  messages: number;
  /** subjects that have messages, below it; none for a subject itself */
  below: SubjectCount[];
  children?: SubjectNode[];
}

export const subjectTree = (counts: SubjectCount[]): SubjectNode => ({
  token: '',
  subject: '',
  messages: 0,
  below: counts,
});

/** By their messages, most of them first. A subject that has others below it is one child, and these are another. */
function childrenOf(node: SubjectNode): SubjectNode[] {
  if (node.children) return node.children;
  const start = node.subject === '' ? 0 : node.subject.length + 1;
  const found = new Map<string, SubjectNode>();
  const leaves: SubjectNode[] = [];
  for (const one of node.below) {
    const [subject, messages] = one;
    const end = subject.indexOf('.', start);
    if (end === -1) {
      leaves.push({ token: subject.slice(start), subject, messages, below: [] });
      continue;
    }
    const token = subject.slice(start, end);
    const child = found.get(token);
    if (child) {
      child.messages += messages;
      child.below.push(one);
    } else found.set(token, { token, subject: subject.slice(0, end), messages, below: [one] });
  }
  node.children = [...found.values(), ...leaves].sort((a, b) => b.messages - a.messages);
  return node.children;
}

/** Of one parent; a parent with more says how many are left out. */
const mostChildren = 1000;

export interface TreeRow {
  node: SubjectNode;
  depth: number;
  isOpen: boolean;
  /** children that are not shown */
  leftOut: number;
}

const leftOutOf = (node: SubjectNode) => Math.max(0, childrenOf(node).length - mostChildren);

/** The rows of a tree of which these are open, by their filters. */
export function treeRows(root: SubjectNode, open: ReadonlySet<string>): { rows: TreeRow[]; leftOut: number } {
  const rows: TreeRow[] = [];
  const add = (parent: SubjectNode, depth: number) => {
    for (const child of childrenOf(parent).slice(0, mostChildren)) {
      const isOpen = child.below.length > 0 && open.has(filterOf(child));
      rows.push({ node: child, depth, isOpen, leftOut: isOpen ? leftOutOf(child) : 0 });
      if (isOpen) add(child, depth + 1);
    }
  };
  add(root, 0);
  return { rows, leftOut: leftOutOf(root) };
}

/** What takes the messages of a node: a subject, or all that are below. */
export const filterOf = ({ subject, below }: SubjectNode): string =>
  below.length > 0 ? `${subject}.>` : subject;

/** What a person looks below of: a beginning, or a filter with wildcards. */
export function filterBelow(text: string): string {
  const trimmed = text.trim().replace(/\.$/, '');
  if (trimmed === '') return '>';
  return /[*>]/.test(trimmed) ? trimmed : `${trimmed}.>`;
}
