import { bothOf, Field, Listing, ListQuery, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import { isLocked } from './passcode.js';
import type { ShareLink } from './share-link.entity.js';

/** Request to create a share link. */
export class CreateShareLinkDto {
  @Field.integer({
    description: 'Days until it expires.',
    example: 7,
    minimum: 1,
    maximum: 365,
    required: false,
    default: 7,
  })
  expires_days?: number;

  @Field.string({
    description: 'Readers must enter it.',
    example: 'blue-harbour-42',
    minLength: 4,
    maxLength: 64,
    required: false,
    nullable: true,
  })
  passcode?: string | null;

  @Field.boolean({
    description: 'Readers may download the PDF.',
    example: false,
    required: false,
    default: false,
  })
  allow_download?: boolean;
}

/** A link that lets people without an account read a document. */
export class ShareLinkDto extends bothOf(ResourceDto, shownOf(CreateShareLinkDto, { allow_download: true })) {
  @Field.constant('share_link')
  object: string;

  @Field.uuid({
    description: 'Document that the link opens.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  document_id: string;

  @Field.string({
    description:
      'The link. Returned only when the link is created: null in lists and when a request is repeated with its Idempotency-Key. ' +
      'Create another link if it is lost.',
    example: 'https://suite.example.com/p/b1Zl0Q2Wm5nqY8xS3c7dK4fT6hJ9gR0vLpA-uE_iOwM',
    nullable: true,
  })
  url: string | null;

  @Field.dateTime({
    description: 'When the link expires, UTC.',
    example: '2026-11-28T09:30:00.000Z',
  })
  expires_at: string;

  @Field.boolean({
    description: 'Whether a reader must enter a passcode.',
    example: true,
  })
  has_passcode: boolean;

  @Field.dateTime({
    description: 'When the link was revoked, UTC. Null if it was not.',
    example: null,
    nullable: true,
  })
  revoked_at: string | null;

  @Field.boolean({
    description: 'Whether too many wrong passcodes have permanently locked the link.',
    example: false,
  })
  locked: boolean;

  static from(this: void, link: ShareLink, url: string | null = null): ShareLinkDto {
    return { ...responseOf(ShareLinkDto, link), url, has_passcode: link.passcode_hash !== null, locked: isLocked(link) };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class ShareLinksQuery extends ListQuery {}
