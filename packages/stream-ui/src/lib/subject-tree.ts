export interface SubjectNode {
  /** the last part of its name */
  token: string;
  /** all of its name; with `.>` where it has parts */
  subject: string;
  messages: number;
  /** subjects that have messages, it included */
  subjects: number;
  children: Map<string, SubjectNode>;
}

const node = (token: string, subject: string): SubjectNode => ({
  token,
  subject,
  messages: 0,
  subjects: 0,
  children: new Map(),
});

/** Subjects by their parts. */
export function subjectTree(subjects: Readonly<Record<string, number>>): SubjectNode {
  const root = node('', '');
  for (const [subject, messages] of Object.entries(subjects)) {
    let at = root;
    const tokens = subject.split('.');
    at.messages += messages;
    at.subjects += 1;
    tokens.forEach((token, index) => {
      const next = at.children.get(token) ?? node(token, tokens.slice(0, index + 1).join('.'));
      at.children.set(token, next);
      next.messages += messages;
      next.subjects += 1;
      at = next;
    });
  }
  return root;
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

/** The rows of a tree of which these subjects are open. */
export function treeRows(root: SubjectNode, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (parent: SubjectNode, depth: number) => {
    const children = [...parent.children.values()].sort((a, b) => b.messages - a.messages);
    for (const child of children.slice(0, mostChildren)) {
      const isOpen = open.has(child.subject) && child.children.size > 0;
      const leftOut = isOpen ? Math.max(0, child.children.size - mostChildren) : 0;
      rows.push({ node: child, depth, isOpen, leftOut });
      if (isOpen) add(child, depth + 1);
    }
  };
  add(root, 0);
  return rows;
}

/** What takes the messages of a node: its own subject, and those below it. */
export const filterOf = ({ subject, children }: SubjectNode): string =>
  children.size > 0 ? `${subject}.>` : subject;
