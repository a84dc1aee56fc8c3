import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  bytesOfBase64,
  CommonErrors,
  Contexts,
  FileResponse,
  Files,
  isUuid,
  MINUTE_MS,
  own,
  PRIVATE_HEADERS,
  Projects,
  SentFile,
  Settings,
  sql,
  Store,
  table,
  type Ctx,
  type FileOf,
  type Mode,
} from '../../../kit/index.js';
import { Attachment } from '../model/attachment.entity.js';
import { invalid } from '../model/desk.errors.js';
import { TicketAttachmentDto, type UploadTicketAttachmentDto } from './attachments.dto.js';
import { messageFileOf } from './message-files.js';

const MOST_TEXT_BYTES = 64 * 1024;
const LINK_MINUTES = 15;
const TEXT = /^(?:text\/|application\/(?:json|xml|csv|yaml|x-yaml|x-ndjson)$|message\/)|\+(?:json|xml)$/;
/** Media types that browsers do not execute; all others are sent as application/octet-stream. */
const HARMLESS = /^(?:image\/(?:png|jpeg|gif|webp)|application\/(?:pdf|zip)|text\/(?:plain|csv))$/;

/** Reads and stores attachments. Those of mails come from strangers, so browsers must save them and never display or execute them. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly store: Store,
    private readonly files: Files,
    private readonly contexts: Contexts,
    private readonly settings: Settings,
    private readonly projects: Projects,
  ) {}

  /** Stores a file that a message can use within a day. */
  async upload(ctx: Ctx, { project_id, ...given }: UploadTicketAttachmentDto, sent: SentFile | undefined): Promise<TicketAttachmentDto> {
    const content = given.text === undefined ? 'content_base64' : 'text';
    const { fileName, mediaType, bytes } = sent ? messageFileOf(sent, 'file') : messageFileOf(givenFile(given), content, 'file_name');
    const { id: project } = await this.projects.resolve(ctx, project_id);
    const values = { file_name: fileName, media_type: mediaType, size_bytes: bytes.length, project_id: project, message_id: null };
    const { id } = await this.store.write(ctx, async (tx) =>
      tx.insert(Attachment, { ...values, ...(await this.files.keep(tx, Attachment, 'content', bytes)) }),
    );
    return this.get(ctx, id);
  }

  async get(ctx: Ctx, id: string): Promise<TicketAttachmentDto> {
    const attachment = await this.store.get(ctx, Attachment, id);
    const isText = TEXT.test(attachment.media_type);
    const text = isText ? await textOf(await this.beginning(ctx, id)) : null;
    return TicketAttachmentDto.from(attachment, text, isText && attachment.size_bytes > MOST_TEXT_BYTES, this.linkTo(id));
  }

  /** The file behind a link of `get`; `not_found` once the link has expired. */
  async download(token: string): Promise<FileResponse> {
    const [id = '', expiry = '', mac = ''] = token.split('.');
    if (!isUuid(id) || !isEqual(mac, this.macOf(id, expiry)) || Number.parseInt(expiry, 36) * MINUTE_MS < Date.now()) throw expired();
    const found = await this.contexts.findAcrossTenants<DownloadRow>(
      sql.unscoped('the attachment that a signed link names')`
        SELECT a.organization_id, a.project_id, a.mode, a.file_name, a.media_type, a.content, a.content_object_id
        FROM ${table(Attachment)} a WHERE a.id = ${id}`,
    );
    if (!found) throw expired();
    const type = HARMLESS.test(found.media_type) ? found.media_type : 'application/octet-stream';
    const { organization_id: organizationId, project_id: projectId, mode } = found;
    const ctx = this.contexts.guest({ organizationId, projectId, mode }, null);
    return new FileResponse(type, await this.files.stream(ctx, found, 'content'), {
      filename: found.file_name,
      download: true,
      headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': `sandbox; default-src 'none'` },
    });
  }

  private async beginning(ctx: Ctx, id: string): Promise<Buffer> {
    const [row] = await this.store.reader(ctx).sql<FileOf<'content'>>(
      sql`SELECT substring(a.content FROM 1 FOR ${MOST_TEXT_BYTES}::integer) AS content, a.content_object_id
          FROM ${table(Attachment)} a WHERE ${own('a')} AND a.id = ${id}`,
    );
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of (await this.files.stream(ctx, row, 'content')) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= MOST_TEXT_BYTES) break;
    }
    return Buffer.concat(pieces).subarray(0, MOST_TEXT_BYTES);
  }

  private linkTo(id: string): string {
    // rounded to minutes, so that repeated calls usually return the same link
    const expiry = (Math.ceil(Date.now() / MINUTE_MS) + LINK_MINUTES).toString(36);
    return `${this.settings.baseUrl}/d/${id}.${expiry}.${this.macOf(id, expiry)}`;
  }

  private macOf(id: string, expiry: string): string {
    return this.settings.mac(`desk attachment ${id} ${expiry}`);
  }
}

interface DownloadRow extends FileOf<'content'>, Pick<Attachment, 'organization_id' | 'project_id' | 'file_name' | 'media_type'> {
  mode: Mode;
}

function givenFile({ file_name, media_type = '', text, content_base64 }: UploadTicketAttachmentDto): SentFile {
  if (text === undefined && content_base64 === undefined)
    throw CommonErrors.missingFields({ param: 'text', message: 'text or content_base64 is required, or a form with the field file' });
  if (text !== undefined && content_base64 !== undefined) throw invalid('text', 'must be left out with content_base64');
  if (file_name === undefined) throw CommonErrors.missingFields({ param: 'file_name', message: 'file_name is required' });
  const type = media_type || (text === undefined ? '' : 'text/plain');
  return new SentFile(file_name, type, text === undefined ? bytesOfBase64(content_base64!, 'content_base64') : Buffer.from(text));
}

function expired(): Error {
  return CommonErrors.notFound({ message: 'This link has expired; get the attachment again for another one.' });
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** The text by what its bytes look like. The last character may be incomplete. */
async function textOf(bytes: Buffer): Promise<string> {
  const { decoded } = await import('../mail/inbound/charsets.js');
  const text = isUtf8Beginning(bytes) ? new TextDecoder().decode(bytes, { stream: true }) : decoded(bytes, '', null).replace(/\ufffd$/, '');
  return text.replaceAll('\u0000', '\ufffd');
}

function isUtf8Beginning(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
