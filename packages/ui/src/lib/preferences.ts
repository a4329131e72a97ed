import type { TimeZoneChoice } from './time.ts';

/** What a person has chosen in this browser. It holds no credential and nothing of an organization. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  zone: TimeZoneChoice;
  /** hidden columns, by the name of a table */
  hiddenColumns: Record<string, string[]>;
}

const key = 'sluice.preferences';
const defaults: Preferences = { theme: 'system', zone: 'local', hiddenColumns: {} };
const listeners = new Set<() => void>();
let current: Preferences | undefined;

/** The preferences, as they are now. */
export function preferences(): Preferences {
  if (current) return current;
  try {
    current = { ...defaults, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>) };
  } catch {
    // the browser forbids storage, or something else wrote there
    current = defaults;
  }
  return current;
}

/** Changes preferences and keeps them. */
export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...preferences(), ...changes };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // they hold for this page
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** Sets the theme of the document. */
export function applyTheme(): void {
  const { theme } = preferences();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Calls back when one is changed. @returns what ends that */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
