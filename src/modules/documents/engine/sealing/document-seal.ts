import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../../kit/index.js';
import { readSeal, storedSeal } from './seal-file.js';
import { SealSettings } from './seal-settings.js';

/** A PKCS #12 file with an RSA key and its certificates. */
interface SealKey {
  p12: Buffer;
  passphrase: string;
}

/** The key that seals executed documents, and the time-stamp authorities. An unusable file of the operator fails the start. */
@Injectable()
export class DocumentSeal {
  /** In the order in which they are asked; empty for none. A URL may contain credentials. */
  readonly timeStampUrls: readonly string[];
  private opened: SealKey | undefined;

  constructor(
    private readonly settings: Settings,
    { p12File, p12Passphrase, timeStampUrls }: SealSettings,
  ) {
    this.timeStampUrls =
      timeStampUrls
        ?.reveal()
        .split(',')
        .map((url) => url.trim()) ?? [];
    if (p12File !== undefined) this.opened = open(p12File, p12Passphrase?.reveal());
  }

  /** Outside production a self-signed certificate by default; generating it blocks the first read for a moment. */
  get key(): SealKey {
    return (this.opened ??= storedSeal(this.settings));
  }
}

function open(file: string, passphrase: string | undefined): SealKey {
  const { expires, ...key } = readSeal(file, passphrase);
  if (expires < new Date())
    new Logger('Seal').warn(
      `The certificate in SEAL_P12_FILE expired on ${expires.toISOString().slice(0, 10)}. ` +
        'Verifiers report this for documents that are sealed from now on.',
    );
  return key;
}
