import { Logger } from '@nestjs/common';
import { Settings } from '../../kit/index.js';
import type { AiSettings, SealSettings } from '../../kit/internal.js';
import type { BaseUrl } from './base-url.js';
import { hasSecureCookies } from './config.js';
import { storedSeal, readSeal } from './seal.js';
import type { SecretBox } from './secret-box.js';
import type { AppConfig } from './settings.js';

/** Separates what modules encrypt from what the platform encrypts: neither can be decrypted as the other. */
const OWNER = 'modules';

type SealFile = Omit<SealSettings, 'timeStampUrls'>;

/** Implements the kit's `Settings`. */
export class ModuleSettings extends Settings {
  readonly environment: AppConfig['nodeEnv'];
  readonly secureCookies: boolean;
  readonly mailFrom: Settings['mailFrom'];
  readonly invitationMailsPerDay: number;
  readonly ai: AiSettings | null;
  private openedSeal: SealFile | undefined;
  private readonly timeStampUrls: readonly string[];

  constructor(
    private readonly config: AppConfig,
    private readonly publicAddress: BaseUrl,
    private readonly box: SecretBox,
  ) {
    super();
    this.environment = config.nodeEnv;
    this.secureCookies = hasSecureCookies(config);
    this.mailFrom = mailboxOf(config.mailFrom);
    this.invitationMailsPerDay = config.invitationMailsPerDay;
    this.ai =
      config.aiBaseUrl === undefined
        ? null
        : { baseUrl: config.aiBaseUrl, apiKey: config.aiApiKey?.reveal() ?? null, model: config.aiModel, timeoutMs: config.aiTimeoutMs };
    this.timeStampUrls =
      config.sealTimeStampUrls
        ?.reveal()
        .split(',')
        .map((url) => url.trim()) ?? [];
    if (config.sealP12File !== undefined) this.openedSeal = openSeal(config.sealP12File, config.sealP12Passphrase?.reveal());
  }

  get baseUrl(): string {
    return this.publicAddress.value;
  }

  get seal(): SealSettings {
    this.openedSeal ??= storedSeal(this.config.dataDir);
    return { ...this.openedSeal, timeStampUrls: this.timeStampUrls };
  }

  encrypt(text: string): string {
    return this.box.seal(text, OWNER).toString('base64url');
  }

  decrypt(sealed: string): string {
    return this.box.open(Buffer.from(sealed, 'base64url'), OWNER);
  }

  mac(text: string): string {
    return this.box.mac(text).toString('base64url');
  }
}

function mailboxOf(text: string): Settings['mailFrom'] {
  const named = /^(.*)<([^<>]+)>$/.exec(text);
  return named ? { address: named[2], name: named[1].trim() || null } : { address: text, name: null };
}

function openSeal(file: string, passphrase: string | undefined): SealFile {
  const { expires, ...seal } = readSeal(file, passphrase);
  if (expires < new Date())
    new Logger('Seal').warn(
      `The certificate in SEAL_P12_FILE expired on ${expires.toISOString().slice(0, 10)}. ` +
        'Verifiers report this for documents that are sealed from now on.',
    );
  return seal;
}
