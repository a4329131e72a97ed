/** What `.sluice/stack.json` says. */
export interface StackFile {
  base_url: string;
  audit_url: string;
  supervisors: { cloud: string; region: string; url: string }[];
  /** where the stack has a console */
  console_url?: string;
  tenant_id: number;
  division_id: number;
  api_key: string;
  nats_url: string;
  mail_dir: string;
}
