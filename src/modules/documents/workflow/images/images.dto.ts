import { Field, pickOf } from '../../../../kit/index.js';
import { CreateDocumentDto } from '../../views/documents.dto.js';
import { imageReference } from '../../model/core/images.js';
import type { DocumentImage } from '../../model/records/document-image.entity.js';

/** The body that uploads a picture; a form sends it as the field file. */
export class UploadImageDto extends pickOf(CreateDocumentDto, ['project_id']) {
  @Field.string({
    description: 'In Base64, up to 700 KB.',
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    maxLength: 1_000_000,
    required: false,
  })
  content_base64?: string;
}

/** A picture for fields of the x-format image. */
export class DocumentImageDto {
  @Field.constant('document_image')
  object: string;

  @Field.string({
    description: 'Value for data_values in its project.',
    example: 'image:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  reference: string;

  @Field.uuid({
    description: 'Project.',
    example: '01978b7e-6d3a-7a43-8d37-9d8a45c1b201',
  })
  project_id: string;

  static from(this: void, { sha256, project_id }: DocumentImage): DocumentImageDto {
    return { object: 'document_image', reference: imageReference(sha256), project_id };
  }
}
