import { useEffect, useState } from 'react';
import { Button } from '@sluice/ui/button.tsx';
import { ErrorNote, PartialState } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { Toasts } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { endText, openBroker, type Broker } from '../broker/session.ts';
import { Streams } from '../parts/streams.tsx';
import styles from '../parts/streams.module.css';

/** the node passes this on to its broker */
const brokerUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/broker`;

const nameOf = (hash: string): string | undefined => {
  try {
    return decodeURIComponent(hash.slice(1)) || undefined;
  } catch {
    return undefined;
  }
};

/** The page that a node serves by itself: sign-in with the deployment's login, which stays in memory, and the streams. */
export function StreamPage() {
  const [broker, setBroker] = useState<Broker>();
  const [isConnected, setConnected] = useState(true);
  const [ended, setEnded] = useState<string>();
  const [open, setOpen] = useState(() => nameOf(location.hash));
  useEffect(() => {
    const follow = () => setOpen(nameOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const signIn = async (username: string, password: string) => {
    const opened = await openBroker({
      url: brokerUrl(),
      login: { username, password },
      reconnects: true,
      onConnected: setConnected,
      onEnd: (end) => {
        setEnded(endText(end));
        setBroker(undefined);
      },
    });
    setEnded(undefined);
    setConnected(true);
    setBroker(opened);
  };
  const signOut = () => {
    void broker?.close();
    setBroker(undefined);
  };
  return (
    <>
      {broker ? (
        <main className={styles.page}>
          <header className={styles.head}>
            <h1>Streams of {location.hostname}</h1>
            <div className={styles.tools}>
              <span className={layout.muted}>NATS {broker.version}</span>
              <Button onPress={signOut}>Sign out</Button>
            </div>
          </header>
          {!isConnected && <PartialState>The connection is lost. It is tried again.</PartialState>}
          <Streams
            broker={broker}
            open={open}
            onOpen={(name) => {
              location.hash = name === undefined ? '' : encodeURIComponent(name);
            }}
          />
        </main>
      ) : (
        <SignIn onSignIn={signIn} ended={ended} />
      )}
      <Toasts />
    </>
  );
}

interface SignInProps {
  onSignIn: (username: string, password: string) => Promise<void>;
  /** why the session before is over */
  ended: string | undefined;
}

function SignIn({ onSignIn, ended }: SignInProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async () => {
    setPending(true);
    setError(undefined);
    await onSignIn(username, password).catch((thrown: unknown) => setError(thrown));
    setPending(false);
  };
  return (
    <main className={styles.signIn}>
      <h1>Streams of {location.hostname}</h1>
      <p className={layout.muted}>
        Sign in with the login of the deployment. It is kept in this page alone, until it is closed.
      </p>
      {ended !== undefined && <PartialState>{ended}</PartialState>}
      <form
        className={layout.closeStack}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && username !== '') void submit();
        }}
      >
        <TextField label="User" autoComplete="off" value={username} onChange={setUsername} isMono autoFocus />
        <TextField
          label="Password"
          type="password"
          autoComplete="off"
          value={password}
          onChange={setPassword}
          isMono
        />
        {error !== undefined && <ErrorNote error={error} />}
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" isPending={isPending} isDisabled={username === ''}>
            Sign in
          </Button>
        </div>
      </form>
    </main>
  );
}
