import { useSyncExternalStore } from 'react';
import { onPreferences, preferences, type Preferences } from './preferences.ts';

/** The preferences, as they are now. */
export const usePreferences = (): Preferences => useSyncExternalStore(onPreferences, preferences);
