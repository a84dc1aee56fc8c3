import { LRUCache } from 'lru-cache';
import { organizationName, type BrandSource, type Ctx, type Store, type Tx } from '../../kit/index.js';
import { withLogo, type LogoSize, type MailLook } from './mail-frame.js';

/** A logo as mails contain it, with the size at which they show it. */
interface MailLogo extends LogoSize {
  png: Buffer;
}

const MOST_WIDTH = 200;
const MOST_HEIGHT = 44;
/** For screens with a high density. */
const PIXELS = 2;
/** A small file can be a huge image. */
const MOST_PIXELS = 16_000_000;
const CID = /"cid:logo-([^"]+)"/;

/**
 * How the mails of organizations look. A change that writes a mail only names the logo, because its file may be in a storage outside of the
 * database. Whoever sends the mail reads it, once in a process, and scales it down.
 */
export class MailLooks {
  private readonly known = new WeakMap<Tx, Promise<MailLook>>();
  private readonly logos = new LRUCache<string, MailLogo>({ max: 200 });

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
    return this.scaled(ctx, id);
  }

  /** A mail to be sent, with the logo if that is attached. */
  shown(markup: string, hasLogo: boolean): string {
    const id = hasLogo ? logoIn(markup) : null;
    return withLogo(markup, (id !== null && this.logos.get(id)) || null);
  }

  private async read(tx: Tx): Promise<MailLook> {
    const [organization, brand] = await Promise.all([organizationName(tx), this.source()?.mailBrand(tx)]);
    const { color, logo } = brand ?? { color: null, logo: null };
    return { organization, color, logo: logo === null ? null : cidOf(logo) };
  }

  private async scaled(ctx: Ctx, id: string): Promise<MailLogo | null> {
    const known = this.logos.get(id);
    if (known) return known;
    const file = (await this.source()?.mailLogo(this.store.reader(ctx), id, ctx)) ?? null;
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
