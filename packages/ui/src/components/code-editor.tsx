import { useEffect, useRef } from 'react';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../lib/nonce.ts';
import type { CodeEditorProps, DiffProps, Language } from './code-model.ts';

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--series-1)' },
  { tag: [tags.string, tags.content], color: 'var(--series-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--series-2)' },
  { tag: tags.comment, color: 'var(--text-muted)' },
]);

const look = EditorView.theme({
  '&': { maxHeight: '32rem', color: 'var(--text)', fontSize: 'var(--size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: 'var(--line)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--text-muted)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selected) !important',
  },
  '.cm-changedLine': { background: 'var(--ok-soft) !important' },
  '.cm-deletedChunk': { background: 'var(--bad-soft) !important' },
  // a background would take contrast from the colours of the text
  '.cm-deletedChunk .cm-deletedText': {
    background: 'none !important',
    boxShadow: 'inset 0 -2px 0 var(--bad)',
  },
  '.cm-changedText': { background: 'none !important', boxShadow: 'inset 0 -2px 0 var(--ok)' },
});

const languages: Record<Language, () => Extension> = { json, yaml, text: () => [] };

function basics(label: string, language: Language, isReadOnly: boolean): Extension[] {
  const nonce = styleNonce();
  return [
    nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    lineNumbers(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    languages[language](),
    syntaxHighlighting(colours),
    look,
    isReadOnly
      ? [EditorState.readOnly.of(true), keymap.of([...searchKeymap])]
      : [
          history(),
          indentOnInput(),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        ],
  ];
}

/** Lines are as high as their font, which comes later than the editor. */
const measureWithFont = (view: EditorView) => void document.fonts.ready.then(() => view.requestMeasure());

export function CodeEditor({ label, value, onChange, language, isReadOnly = false }: CodeEditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const change = useRef(onChange);
  const first = useRef(value);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!frame.current) return;
    const listener = EditorView.updateListener.of((update) => {
      if (update.docChanged) change.current?.(update.state.doc.toString());
    });
    view.current = new EditorView({
      parent: frame.current,
      doc: first.current,
      extensions: [basics(label, language, isReadOnly), listener],
    });
    measureWithFont(view.current);
    return () => view.current?.destroy();
  }, [label, language, isReadOnly]);
  useEffect(() => {
    first.current = value;
    const editor = view.current;
    const current = editor?.state.doc.toString();
    // what another part of the page has set
    if (current !== value)
      editor?.dispatch({ changes: { from: 0, to: current?.length ?? 0, insert: value } });
  }, [value]);
  return <div ref={frame} />;
}

export function CodeDiff({ label, before, after, language }: DiffProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current) return;
    const merge = unifiedMergeView({
      original: before,
      mergeControls: false,
      collapseUnchanged: { margin: 3 },
    });
    const view = new EditorView({
      parent: frame.current,
      doc: after,
      extensions: [basics(label, language, true), merge],
    });
    measureWithFont(view);
    return () => view.destroy();
  }, [label, before, after, language]);
  return <div ref={frame} />;
}
