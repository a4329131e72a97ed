import { mailCatcher } from './mail-catcher.ts';

/** Catches the mails of an installation: SMTP on port 1025, shown on port 8080. */
const { smtp, http } = mailCatcher();
smtp.listen(1025);
http.listen(8080);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
