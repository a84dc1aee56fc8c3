import { join } from 'node:path';
import { Settings } from '../../kit/index.js';
import type { SettingsClass } from '../../kit/internal.js';
import type { BaseUrl } from './base-url.js';
import { hasSecureCookies } from './config.js';
import { createOnce } from './generated-secrets.js';
import type { Slices } from './module-slices.js';
import type { SecretBox } from './secret-box.js';
import type { AppConfig } from './settings.js';

/** Separates what modules encrypt from what the platform encrypts: neither can be decrypted as the other. */
export const MODULES_OWNER = 'modules';

/** Implements the kit's `Settings`. */
export class ModuleSettings extends Settings {
  readonly environment: AppConfig['nodeEnv'];
  readonly secureCookies: boolean;
  readonly mailFrom: Settings['mailFrom'];

  constructor(
    private readonly config: AppConfig,
    private readonly slices: Slices,
    private readonly publicAddress: BaseUrl,
    private readonly box: SecretBox,
  ) {
    super();
    this.environment = config.nodeEnv;
    this.secureCookies = hasSecureCookies(config);
    this.mailFrom = mailboxOf(config.mailFrom);
  }

  get baseUrl(): string {
    return this.publicAddress.value;
  }

  of<V extends object>(settings: SettingsClass<V>): V {
    const slice = this.slices.get(settings);
    if (!slice) throw new Error(`${settings.name} is in the settings of no manifest: list it in @DomainModule({ settings: [...] }).`);
    return slice as V;
  }

  dataFile(name: string, create: () => string | Buffer): Buffer {
    return createOnce(join(this.config.dataDir, name), create);
  }

  encrypt(text: string): string {
    return this.box.seal(text, MODULES_OWNER).toString('base64url');
  }

  decrypt(sealed: string): string {
    return this.box.open(Buffer.from(sealed, 'base64url'), MODULES_OWNER);
  }

  mac(text: string): string {
    return this.box.mac(text).toString('base64url');
  }
}

function mailboxOf(text: string): Settings['mailFrom'] {
  const named = /^(.*)<([^<>]+)>$/.exec(text);
  return named ? { address: named[2], name: named[1].trim() || null } : { address: text, name: null };
}
