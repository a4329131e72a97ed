import { lazy, Suspense } from 'react';
import { SkeletonLines } from './feedback.tsx';
import { CopyButton } from './copy.tsx';
import styles from './editor.module.css';

const Editor = lazy(() =>
  import('./code-editor.tsx').then(({ CodeEditor: component }) => ({ default: component })),
);
const Comparison = lazy(() =>
  import('./code-editor.tsx').then(({ CodeDiff: component }) => ({ default: component })),
);

export type Language = 'json' | 'yaml' | 'text';

export interface CodeEditorProps {
  /** for screen readers */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  language: Language;
  isReadOnly?: boolean;
}

/** An editor for JSON and YAML. It is loaded when the first one is shown. Escape, then Tab, leaves it. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <div className={styles.editor}>
      <Suspense fallback={<SkeletonLines />}>
        <Editor {...props} />
      </Suspense>
    </div>
  );
}

export interface DiffProps {
  label: string;
  before: string;
  after: string;
  language: Language;
}

/** What changes between two texts. */
export function Diff(props: DiffProps) {
  return (
    <div className={styles.editor}>
      <Suspense fallback={<SkeletonLines />}>
        <Comparison {...props} />
      </Suspense>
    </div>
  );
}

/** A short text to copy, such as a command. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.block}>
      {/* it scrolls, so keys have to reach it */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <CopyButton value={code} label={label} />
    </div>
  );
}
