import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { SkeletonLines } from './feedback.tsx';
import type { CodeEditorProps, DiffProps } from './code-model.ts';
import { CopyButton } from './copy.tsx';
import styles from './editor.module.css';

const Editor = lazyPart(() => import('./code-editor.tsx'), 'CodeEditor');
const Comparison = lazyPart(() => import('./code-editor.tsx'), 'CodeDiff');

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
      <pre tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <CopyButton value={code} label={label} />
    </div>
  );
}
