import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  bytesOfBase64,
  CommonErrors,
  Files,
  invalid,
  own,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type SentFile,
  type Tx,
} from '../../../../kit/index.js';
import type { DocumentContent } from '../../engine/content/document-content.js';
import { PagePictures } from '../../engine/pictures/page-pictures.service.js';
import { imageReference, imagesIn, sha256In } from '../../model/core/images.js';
import { DocumentImage } from '../../model/records/document-image.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { ImageUses } from './image-uses.js';
import type { UploadImageDto } from './images.dto.js';

const MOST_BYTES = 8 * 1024 * 1024;
/** How long a picture that nothing names is kept, and how often those that are named are looked at. */
const KEPT_MS = 30 * 86_400_000;

export const IMAGE_UPLOAD = {
  field: 'file',
  description: 'The picture, PNG, JPEG or WebP of at most 8 MiB.',
  most: 1,
  bytes: MOST_BYTES,
} as const;

/** Pictures that documents print. */
@Injectable()
export class Images {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly pictures: PagePictures,
    private readonly uses: ImageUses,
    private readonly files: Files,
  ) {}

  /** The same file twice is one picture. */
  async upload(ctx: Ctx, { project_id, content_base64 }: UploadImageDto, sent: SentFile | undefined): Promise<DocumentImage> {
    if (sent && content_base64 !== undefined) throw invalid('content_base64', 'must be left out with file');
    const given = sent?.bytes ?? (content_base64 === undefined ? null : bytesOfBase64(content_base64, 'content_base64'));
    if (given === null)
      throw CommonErrors.missingFields({ param: 'file', message: 'file is required: send the picture, or its content_base64' });
    const project = await this.projects.resolve(ctx, project_id);
    const picture = await this.pictures.image(given);
    if ('problem' in picture) throw invalid(sent ? 'file' : 'content_base64', 'must be a PNG, JPEG or WebP of at most 60 million pixels');
    const sha256 = hash('sha256', given);
    const { bytes, ...shown } = picture;
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`document image ${project.id} ${ctx.mode} ${sha256}`);
      const [known] = await tx.list(DocumentImage, { project_id: project.id, sha256 });
      const kept_until = new Date(tx.startedAt.getTime() + KEPT_MS);
      if (known) return tx.update(known, { kept_until });
      const kept = await this.files.keep(tx, DocumentImage, 'bytes', Buffer.from(bytes));
      return tx.insert(DocumentImage, { project_id: project.id, sha256, ...shown, ...kept, kept_until });
    });
  }

  /** The pictures of the project that the values name, as far as they exist. */
  async named(ctx: Ctx, { project_id }: Document, { schema, values }: DocumentContent): Promise<DocumentImage[]> {
    const named = imagesIn(schema, values);
    if (named.length === 0) return [];
    return this.store.list(ctx, DocumentImage, {
      project_id,
      sha256: [...new Set(named.map(([, reference]) => sha256In(reference)))],
    });
  }

  /** As base64. They can be in a storage outside of the database: not for a transaction. */
  read(ctx: Ctx, pictures: readonly DocumentImage[]): Promise<string[]> {
    return Promise.all(pictures.map(async (picture) => (await this.files.read(ctx, picture, 'bytes')).toString('base64')));
  }

  /** Deletes the pictures of a document that nothing else names. */
  async erase(tx: Tx, { id, project_id, data_values }: Document): Promise<void> {
    const text = JSON.stringify(data_values);
    const named = new Set([...text.matchAll(/"image:([0-9a-f]{64})"/g)].map(([, sha256]) => sha256));
    for (const sha256 of named) {
      const [image] = await tx.list(DocumentImage, { project_id, sha256 });
      if (image && !(await this.isNamed(tx, image, id))) await tx.delete(image);
    }
  }

  /** Deletes a picture if nothing names it, or else keeps it until it is looked at again. */
  async collect(ctx: Ctx, id: string, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const image = await tx.lock(DocumentImage, id);
      if (image.kept_until > now) return;
      if (await this.isNamed(tx, image, null)) await tx.update(image, { kept_until: new Date(now.getTime() + KEPT_MS) });
      else await tx.delete(image);
    });
  }

  /** By a document of its project other than `exceptId`, by a type, or by what creates documents. */
  private async isNamed(tx: Tx, { project_id, sha256 }: DocumentImage, exceptId: string | null): Promise<boolean> {
    const reference = imageReference(sha256);
    const [found] = await tx.sql<{ is_named: boolean }>(sql`
      SELECT EXISTS (SELECT FROM ${table(Document)} d
          WHERE ${own('d')} AND d.project_id = ${project_id} AND d.id IS DISTINCT FROM ${exceptId}::uuid
            AND position(${reference} in d.data_values::text) > 0)
        OR EXISTS (SELECT FROM ${table(DocumentType)} t WHERE ${own('t')} AND position(${reference} in t.draft::text) > 0)
        OR EXISTS (SELECT FROM ${table(DocumentTypeVersion)} v WHERE ${own('v')} AND position(${reference} in v.definition::text) > 0)
        OR ${this.uses.isNamed(reference)}
        AS is_named`);
    return found.is_named;
  }
}
