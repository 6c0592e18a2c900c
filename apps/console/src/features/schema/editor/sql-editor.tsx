import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MariaSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { TableView } from '../../../data/schema/read-tables.js';
import { faultMark, markPosition, type TextLocation } from './editor-mark.js';

export interface SqlEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The name of the editor for screen readers. */
  readonly label: string;
  readonly tables: readonly TableView[];
  readonly placeholder?: string;
  readonly heightMin?: number;
  readonly heightMax?: number;
  /** Called on Ctrl+Enter. If a part of the text is selected, it is called with that part. */
  readonly onSubmit: (selected?: string) => void;
  /** The position of an error, which is marked until the text changes. */
  readonly mark?: TextLocation | null;
  /** The selection at the start. If it is set, the editor takes the focus. */
  readonly caret?: { readonly from: number; readonly to: number } | null;
}

/**
 * The maximum number of completions that are listed. The list is short enough that it never scrolls, because
 * a scrollable box would have to be focusable.
 */
const COMPLETIONS_SHOWN = 9;

const check = EditorView.theme({
  '&': {
    fontSize: '0.8125rem',
    backgroundColor: 'var(--rh-code)',
    color: 'var(--rh-ink)',
    border: '1px solid var(--rh-line)',
    borderRadius: 'var(--mantine-radius-md)',
  },
  '&.cm-focused': { outline: '2px solid var(--rh-pine)', outlineOffset: '-1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '1.6',
    minHeight: 'var(--editor-min)',
    maxHeight: 'var(--editor-max)',
    overflow: 'auto',
  },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--rh-ink)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--rh-token-note)',
    border: 'none',
    paddingLeft: '4px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--rh-ink)' },
  '.cm-placeholder': { color: 'var(--rh-dim)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--rh-pine) 24%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--rh-surface)',
    border: '1px solid var(--rh-line-strong)',
    borderRadius: '7px',
    overflow: 'hidden',
    boxShadow: 'var(--rh-shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: 'none',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 10px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--rh-pine-soft)',
    color: 'var(--rh-pine)',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.typeName, tags.standard(tags.name)], color: 'var(--rh-token-word)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--rh-token-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--rh-token-number)' },
  { tag: [tags.comment], color: 'var(--rh-token-note)', fontStyle: 'italic' },
  { tag: [tags.quote, tags.special(tags.name)], color: 'var(--rh-token-key)' },
]);

/**
 * An SQL editor that completes the names of this schema's tables and columns. The Tab key leaves the editor,
 * so that keyboard users are not trapped in it.
 */
export function SqlEditor({
  value,
  onChange,
  label,
  tables,
  placeholder = '',
  heightMin = 90,
  heightMax = 520,
  onSubmit,
  mark = null,
  caret = null,
}: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const latest = useRef({ onChange, onSubmit });
  latest.current = { onChange, onSubmit };
  const first = useRef(caret);

  useEffect(() => {
    const submit = (view: EditorView): boolean => {
      const { state } = view;
      closeCompletion(view);
      const { from, to } = state.selection.main;
      const selected = state.sliceDoc(from, to);
      latest.current.onSubmit(...(selected.trim() === '' ? [] : [selected]));
      return true;
    };
    const view = new EditorView({
      ...(host.current ? { parent: host.current } : {}),
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of([
            { key: 'Mod-Enter', run: submit },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false, maxRenderedOptions: COMPLETIONS_SHOWN }),
          language.current.of([]),
          syntaxHighlighting(colours),
          check,
          faultMark,
          EditorView.lineWrapping,
          placeholderText(placeholder),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-multiline': 'true',
            tabindex: '0',
            spellcheck: 'false',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    if (first.current !== null) {
      view.dispatch({ selection: { anchor: first.current.from, head: first.current.to } });
      view.focus();
    }
    return () => view.destroy();
    // The editor is created only once. The effects below send later changes to it.
  }, [label]);

  useEffect(() => {
    const view = editor.current;
    if (view && view.state.doc.toString() !== value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    editor.current?.dispatch({
      effects: language.current.reconfigure(
        sql({ dialect: MariaSQL, schema: toCompletions(tables), upperCaseKeywords: true }),
      ),
    });
  }, [tables]);

  const { line, column } = mark ?? {};
  useEffect(() => {
    if (editor.current) markPosition(editor.current, line === undefined ? null : { line, column });
  }, [line, column]);

  return (
    <div
      ref={host}
      style={{ ['--editor-min' as string]: `${heightMin}px`, ['--editor-max' as string]: `${heightMax}px` }}
    />
  );
}

/**
 * The maximum number of tables whose names are completed. With more tables, the list of completions becomes
 * slow.
 */
const COMPLETED_TABLES_MAX = 500;

function toCompletions(tables: readonly TableView[]): Record<string, string[]> {
  return Object.fromEntries(
    tables
      .slice(0, COMPLETED_TABLES_MAX)
      .map((table) => [table.name, table.columns.map((column) => column.name)]),
  );
}
