import { useState, type ReactNode } from 'react';
import { isChangedMeanwhile } from '@sluice/ui/lib/problems.ts';
import type { Versioned } from '../api/versions.ts';
import { ChangedMeanwhile } from '@sluice/ui/form.tsx';
import { toastError } from '@sluice/ui/toast.tsx';

interface MeanwhileOptions<Value> {
  /** as it was read for the form */
  first: Versioned<Value>;
  /** reads it as it is now */
  read: () => Promise<Versioned<Value>>;
  /** what the form shows of it; a change of anything else does not matter here */
  shown: (value: Value) => unknown;
  /** what would be sent */
  mine: unknown;
  /** puts a version into the form */
  put: (value: Value) => void;
}

/**
 * Sends changes of what was read, so that another's change meanwhile is not lost: then both versions are shown, and the person decides.
 * @returns `send`, which calls a change with the version for `If-Match`; `takeNow`, for after it; and the dialog
 */
export function useMeanwhile<Value>({ first, read, shown, mine, put }: MeanwhileOptions<Value>) {
  const [base, setBase] = useState(first);
  const [asked, setAsked] = useState<{ theirs: Versioned<Value>; again: () => Promise<void> }>();

  const take = (version: Versioned<Value>) => {
    setBase(version);
    put(version.value);
  };
  const sendAgainst = async (
    against: Versioned<Value>,
    change: (version: string) => Promise<unknown>,
  ): Promise<void> => {
    try {
      await change(against.version);
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
      const theirs = await read();
      const again = () => sendAgainst(theirs, change);
      if (JSON.stringify(shown(theirs.value)) === JSON.stringify(shown(against.value))) await again();
      else setAsked({ theirs, again });
    }
  };

  const dialog: ReactNode = asked && (
    <ChangedMeanwhile
      isOpen
      onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
      theirs={shown(asked.theirs.value)}
      mine={mine}
      onKeepTheirs={() => {
        take(asked.theirs);
        setAsked(undefined);
      }}
      onSendMine={() => {
        setAsked(undefined);
        asked.again().catch(toastError);
      }}
    />
  );
  return {
    base: base.value,
    takeNow: async () => take(await read()),
    send: (change: (version: string) => Promise<unknown>) => sendAgainst(base, change),
    dialog,
  };
}
