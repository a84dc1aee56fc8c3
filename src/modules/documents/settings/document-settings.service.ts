import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommonErrors, definedOf, Files, invalid, Store, type Ctx, type FileOf, type Tx } from '../../../kit/index.js';
import type { UpdateDocumentSettingsDto } from './document-settings.dto.js';
import { DocumentSettings } from './document-settings.entity.js';

const MOST_LOGO_BYTES = 256 * 1024;
const DATA_URL = /^data:(image\/png|image\/jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;
/** How the files begin. */
const SIGNATURES = { 'image/png': '89504e470d0a1a0a', 'image/jpeg': 'ffd8ff' } as const;

type Logo = Pick<DocumentSettings, 'logo_type' | 'logo_sha256'> & FileOf<'logo'>;

/** Reads and changes the settings of an organization's documents. */
@Injectable()
export class DocumentSettingsService {
  constructor(
    private readonly store: Store,
    private readonly files: Files,
  ) {}

  async get(ctx: Ctx): Promise<DocumentSettings> {
    return (await this.store.list(ctx, DocumentSettings))[0];
  }

  update(ctx: Ctx, { color, logo, embed_origins, ...rest }: UpdateDocumentSettingsDto): Promise<DocumentSettings> {
    return this.store.write(ctx, async (tx) =>
      tx.update(await tx.target(DocumentSettings, ctx.organizationId), {
        ...definedOf(rest),
        ...(color === undefined ? {} : { color: color?.toLowerCase() ?? null }),
        ...(logo === undefined ? {} : await this.logoOf(tx, logo)),
        ...(embed_origins === undefined ? {} : { embed_origins: [...new Set(embed_origins.map(originOf))] }),
      }),
    );
  }

  private async logoOf(tx: Tx, url: string | null): Promise<Logo> {
    if (url === null) return { logo: null, logo_object_id: null, logo_type: null, logo_sha256: null };
    const { bytes, type } = imageIn(url);
    return { ...(await this.files.keep(tx, DocumentSettings, 'logo', bytes)), logo_type: type, logo_sha256: hash('sha256', bytes) };
  }
}

function imageIn(url: string): { bytes: Buffer; type: keyof typeof SIGNATURES } {
  const found = DATA_URL.exec(url);
  const type = found?.[1] as keyof typeof SIGNATURES | undefined;
  const bytes = Buffer.from(found?.[2] ?? '', 'base64');
  if (type === undefined || !bytes.toString('hex', 0, 8).startsWith(SIGNATURES[type]))
    throw invalid('logo', 'must be a data URL of a PNG or JPEG file, base64');
  if (bytes.length > MOST_LOGO_BYTES) throw invalid('logo', `must be at most ${MOST_LOGO_BYTES} bytes`);
  return { bytes, type };
}

/** The canonical form of an origin. Only https: an embedding page that is loaded over http could be modified in transit. */
function originOf(given: string, index: number): string {
  const param = `embed_origins.${index}`;
  const url = URL.parse(given);
  const isOwn = url?.hostname === 'localhost' && url.protocol === 'http:';
  if (!url || (url.protocol !== 'https:' && !isOwn) || url.hostname === '' || (given !== url.origin && given !== `${url.origin}/`))
    throw CommonErrors.validationFailed({
      param,
      message: `${param} must be an origin such as https://portal.example.com (http only for localhost)`,
    });
  return url.origin;
}
