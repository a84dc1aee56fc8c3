import { Field, partialOf, pickOf, ResourceDto, responseOf } from '../../../kit/index.js';
import { logoPath } from './document-looks.service.js';
import type { DocumentSettings } from './document-settings.entity.js';

/** How an organization's documents look and behave towards outsiders. */
export class DocumentSettingsDto extends ResourceDto {
  @Field.constant('document_settings')
  object: string;

  @Field.string({
    description: "The organization's color on pages, in mails and on PDFs. Pages keep its hue and choose a lightness that is readable.",
    example: '#0f4c5c',
    pattern: '^#[0-9a-fA-F]{6}$',
    patternInWords: 'a color such as #0f4c5c',
    maxLength: 7,
    nullable: true,
  })
  color: string | null;

  @Field.string({
    description: 'The path of the logo on this server. Null if there is none.',
    example: '/papers/logo/0198c5a07c1e7b3a-1f0c.png',
    nullable: true,
  })
  logo: string | null;

  @Field.string({
    description: 'Origins whose pages may show a signing page in a frame, such as https://portal.example.com.',
    example: ['https://portal.example.com'],
    maxLength: 255,
    list: { maxItems: 20 },
  })
  embed_origins: string[];

  @Field.integer({
    description: 'Days after which a party that was asked to sign is reminded, and again; null for no automatic reminders.',
    example: 3,
    minimum: 1,
    maximum: 90,
    nullable: true,
  })
  reminder_days: number | null;

  @Field.integer({
    description: 'How many automatic reminders a party gets at most.',
    example: 3,
    minimum: 1,
    maximum: 10,
  })
  reminder_count: number;

  static from(this: void, row: DocumentSettings): DocumentSettingsDto {
    return { ...responseOf(DocumentSettingsDto, row), logo: logoPath(row) };
  }
}

export class UpdateDocumentSettingsDto extends partialOf(
  pickOf(DocumentSettingsDto, ['color', 'embed_origins', 'reminder_days', 'reminder_count']),
) {
  @Field.string({
    description: 'The logo as a data URL of a PNG or JPEG of at most 256 KiB; null removes it.',
    example: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    maxLength: 360_000,
    required: false,
    nullable: true,
  })
  logo?: string | null;
}
