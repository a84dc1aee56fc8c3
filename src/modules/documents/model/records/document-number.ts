import { rowKey } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/** Types choose the form of their numbers, and two types may use the same one. */
export const DOCUMENT_NUMBER = rowKey(Document, 'number', { example: 'AGR-00042', title: 'title' });
