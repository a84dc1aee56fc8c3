import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Files,
  notOfProject,
  own,
  safeFileName,
  sql,
  table,
  type Ctx,
  type FileOf,
  type SentFile,
  type Tx,
} from '../../../kit/index.js';
import type { MailFile } from '../mail/inbound/inbound-mail.js';
import { invalid } from '../model/desk.errors.js';
import { Attachment } from '../model/attachment.entity.js';

export const MOST_FILES = 10;
/** Of all files of a message: in base64, and with the rest of the mail, less than the 20 MB that mail servers usually accept. */
export const MOST_BYTES = 10 * 1024 * 1024;

/** Mail programs and servers refuse these, and the whole mail with them. */
const REFUSED = new Set(
  (
    'ade adp apk appx bat cab chm cmd com cpl dll dmg exe hta ins iso jar js jse lib lnk mde msc msi msp mst nsh pif ps1 scr sct ' +
    'sh shb shs sys vb vbe vbs vxd ws wsc wsf wsh'
  ).split(' '),
);
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,99}\/[a-z0-9][\w!#$&^.+-]{0,99}$/;

/** A file of a message: new, or an upload that becomes part of it. */
export interface MessageFile extends MailFile {
  uploadId?: string;
}

/** Describes the field of forms. */
export const FILES = {
  field: 'files',
  description: `Files: at most ${MOST_FILES}, of 10 MiB together. Programs are refused.`,
  most: MOST_FILES,
  bytes: MOST_BYTES,
};

/** Refuses what mails cannot carry. `param` is the field of the content, `nameParam` that of the name if it has its own. */
export function messageFileOf({ fileName, contentType, bytes }: SentFile, param: string, nameParam?: string): MessageFile {
  const name = safeFileName(fileName.split(/[\\/]/).at(-1) ?? '');
  if (bytes.length === 0) throw invalid(param, `must not be empty, as ${name} is`);
  if (REFUSED.has(name.split('.').at(-1)?.toLowerCase() ?? ''))
    throw invalid(
      nameParam ?? param,
      `must not be ${nameParam ? 'the name of a program' : 'programs'}, such as ${name}, which mail servers refuse; send a link instead`,
    );
  const type = contentType.split(';')[0].trim().toLowerCase();
  return { fileName: name, mediaType: MEDIA_TYPE.test(type) ? type : 'application/octet-stream', bytes };
}

/** What messages carry. */
@Injectable()
export class MessageFiles {
  constructor(private readonly files: Files) {}

  /** The files of a new message: the uploads that it names, then those sent with it. Uploads are locked. */
  async of(ctx: Ctx, tx: Tx, projectId: string, ids: readonly string[] = [], sent: readonly SentFile[] = []): Promise<MessageFile[]> {
    const files = sent.map((file) => messageFileOf(file, FILES.field));
    if (ids.length + files.length > MOST_FILES) throw invalid('attachment_ids', `and files must be at most ${MOST_FILES} together`);
    if (ids.length === 0) return files;
    const given = sql`${own('a')} AND a.project_id = ${projectId} AND a.id = ANY (${ids})`;
    const found = await tx.sql<{ id: string; size_bytes: number }>(
      sql`SELECT a.id, a.size_bytes FROM ${table(Attachment)} a WHERE ${given} AND a.message_id IS NULL ORDER BY a.id FOR UPDATE`,
    );
    const missing = ids.filter((given) => !found.some(({ id }) => id === given.toLowerCase()));
    if (missing.length > 0)
      throw notOfProject(
        'attachment_ids',
        `must be unused uploads of the ticket's project, from upload_ticket_attachment; ${missing[0]} is none`,
      );
    const size = [...found.map(({ size_bytes }) => size_bytes), ...files.map(({ bytes }) => bytes.length)].reduce((sum, n) => sum + n, 0);
    if (size > MOST_BYTES)
      throw CommonErrors.payloadTooLarge({ param: 'attachment_ids', message: `Files have at most ${MOST_BYTES} bytes together` });
    const uploads = await tx.sql<FileOf<'content'> & { id: string; file_name: string; media_type: string }>(
      sql`SELECT a.id, a.file_name, a.media_type, a.content, a.content_object_id FROM ${table(Attachment)} a WHERE ${given} ORDER BY a.id`,
    );
    // they can be outside of the database
    const contents = await tx.advanced.prepared(`uploads ${uploads.map(({ id }) => id).join(' ')}`, () =>
      Promise.all(uploads.map((upload) => this.files.read(ctx, upload, 'content'))),
    );
    return [
      ...uploads.map(({ id, file_name, media_type }, index) => ({
        uploadId: id,
        fileName: file_name,
        mediaType: media_type,
        bytes: contents[index],
      })),
      ...files,
    ];
  }
}
