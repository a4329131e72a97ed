export type Language = 'json' | 'yaml' | 'text';

export interface CodeEditorProps {
  /** for screen readers */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  language: Language;
  isReadOnly?: boolean;
}

export interface DiffProps {
  label: string;
  before: string;
  after: string;
  language: Language;
}
