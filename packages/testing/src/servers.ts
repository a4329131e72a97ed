/** PostgreSQL (with a superuser's URL) and NATS, wherever they come from. */
export interface Servers {
  postgresUrl: string;
  natsUrl: string;
  stop(): Promise<void>;
  /** what can still be done when the process is ending and nothing can be waited for */
  abandon(): void;
}
