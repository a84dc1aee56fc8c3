import { LRUCache } from 'lru-cache';
import { DomainError, organizationName, type BrandSource, type Ctx, type SqlReader, type Store, type Tx } from '../../kit/index.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import type { MailLook } from './mail-frame.js';

/** A logo as mails contain it, with the size at which they show it. */
interface MailLogo {
  png: Buffer;
  width: number;
  height: number;
}

const MOST_WIDTH = 200;
const MOST_HEIGHT = 44;
/** For screens with a high density. */
const PIXELS = 2;
/** A small file can be a huge image. */
const MOST_PIXELS = 16_000_000;
const CID = /"cid:logo-([^"]+)"/;

/** How long a mail shows the name of its organization instead, after the storage did not return the logo. */
const WITHOUT_MS = 60_000;

/**
 * How the mails of organizations look. Each logo is read and scaled down once in a process, because it may be in a storage outside of the
 * database. One that is down stops no change that writes a mail.
 */
export class MailLooks {
  private readonly known = new WeakMap<Tx, Promise<MailLook>>();
  private readonly logos = new LRUCache<string, MailLogo>({ max: 200 });
  private readonly unavailable = new LRUCache<string, true>({ max: 200, ttl: WITHOUT_MS });

  constructor(
    private readonly store: Store,
    private readonly source: () => BrandSource | null,
  ) {}

  /** A change can write hundreds of mails, which look alike. */
  of(tx: Tx): Promise<MailLook> {
    const known = this.known.get(tx) ?? this.read(tx);
    this.known.set(tx, known);
    return known;
  }

  /** Null if the organization has it no longer, or it cannot be read. */
  logo(ctx: Ctx, id: string): Promise<MailLogo | null> {
    return this.scaled(this.store.reader(ctx), id, ctx);
  }

  private async read(tx: Tx): Promise<MailLook> {
    const [organization, brand] = await Promise.all([organizationName(tx), this.source()?.mailBrand(tx)]);
    const { color, logo: id } = brand ?? { color: null, logo: null };
    const logo = id === null || this.unavailable.has(id) ? null : await this.scaled(tx, id, (tx as PgTx).ctx).catch(this.without(id));
    return { organization, color, logo: id === null || logo === null ? null : { cid: cidOf(id), width: logo.width, height: logo.height } };
  }

  private without(id: string): (error: unknown) => null {
    return (error) => {
      if (!(error instanceof DomainError) || error.spec.status !== 503) throw error;
      this.unavailable.set(id, true);
      return null;
    };
  }

  private async scaled(reader: SqlReader, id: string, ctx: Ctx): Promise<MailLogo | null> {
    const known = this.logos.get(id);
    if (known) return known;
    const file = (await this.source()?.mailLogo(reader, id, ctx)) ?? null;
    const logo = file && (await scaleDown(file));
    if (logo) this.logos.set(id, logo);
    return logo;
  }
}

export function cidOf(id: string): string {
  return `logo-${id}`;
}

/** The id of the logo that a mail shows; null if it shows none. */
export function logoIn(html: string | null): string | null {
  return CID.exec(html ?? '')?.[1] ?? null;
}

async function scaleDown(file: Buffer): Promise<MailLogo | null> {
  const { default: sharp } = await import('sharp');
  const size = { width: MOST_WIDTH * PIXELS, height: MOST_HEIGHT * PIXELS, fit: 'inside', withoutEnlargement: true } as const;
  const image = sharp(file, { limitInputPixels: MOST_PIXELS }).resize(size).png({ palette: true });
  // a file that is no image: the mail shows the name
  const scaled = await image.toBuffer({ resolveWithObject: true }).catch(() => null);
  if (scaled === null) return null;
  const { width, height } = scaled.info;
  const scale = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  return { png: scaled.data, width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
