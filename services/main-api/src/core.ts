import type { UnitOfWork } from '@sluice/messaging';
import type { SecretBox } from '@sluice/system/secrets';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import type { PriceBook } from '@sluice/catalogue/price-book';
import type { Database, Granting } from '@sluice/main-store/database';
import type { NotifierClient } from './notifier-client.ts';
import type { PaymentProvider } from '@sluice/payments/payment-provider';
import type { ProtectionCodes } from './protection-codes.ts';

export interface SessionTimes {
  /** without being used */
  idleMilliseconds: number;
  /** however much they are used */
  longestMilliseconds: number;
}

export interface Core {
  /** for reading outside of a transaction */
  database: Database;
  /**
   * For every change. One that changes grants answers only when they are in force on all layers.
   * @throws Problem `unavailable` when that cannot be known; the change is stored all the same
   */
  work: UnitOfWork<Database & Granting>;
  /** what is in force at the moment of reading; it changes when its file does */
  catalogue: Catalogue;
  /** what that costs: the lists of the database, not what the catalogue says now */
  prices: PriceBook;
  baseDomain: string;
  consoleUrl: string;
  protectionCodes: ProtectionCodes;
  /** seals what is stored and secret */
  secrets: SecretBox;
  /** seals what mails say */
  mailCipher: SecretBox;
  /** mails that one address, and one tenant, may have sent in a day */
  mailLimits: { perAddress: number; perTenant: number };
  /** for what only the notifier can look up, and its history; outside of transactions */
  notifier: NotifierClient;
  sessionTimes: SessionTimes;
  /** whether deployments of other tiers than free need a saved payment method; otherwise all tenants pay by agreement */
  paymentRequired: boolean;
  /** whether usage is invoiced */
  invoicing: boolean;
  /** who charges cards; null: no card is charged */
  paymentProvider: PaymentProvider | null;
  /** where a browser goes from the page for a card */
  paymentReturnUrl: string;
  now: () => Date;
}
