import { Field, pickOf } from '../../../../kit/index.js';
import { CreateDocumentDto } from '../../views/documents.dto.js';
import { imageReference } from '../../model/core/images.js';
import type { DocumentImage } from '../../model/records/document-image.entity.js';

/** The body that uploads a picture; a form sends it as the field file. */
export class UploadImageDto extends pickOf(CreateDocumentDto, ['project_id']) {
  @Field.string({
    description: 'The picture in Base64, up to 700 KB.',
    example: 'iVBORw0KGgo=',
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
    description: 'Value for data_values of documents of its project.',
    example: 'image:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  reference: string;

  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  })
  project_id: string;

  @Field.oneOf(['image/png', 'image/jpeg'], {
    description: 'As it is stored.',
    example: 'image/jpeg',
  })
  media_type: DocumentImage['media_type'];

  @Field.integer({
    description: 'Pixels, as it is stored.',
    example: 1200,
    minimum: 1,
  })
  width: number;

  @Field.integer({
    description: 'Likewise.',
    example: 800,
    minimum: 1,
  })
  height: number;

  static from(this: void, { sha256, project_id, media_type, width, height }: DocumentImage): DocumentImageDto {
    return { object: 'document_image', reference: imageReference(sha256), project_id, media_type, width, height };
  }
}
