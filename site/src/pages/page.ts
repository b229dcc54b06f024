// The script of pages that have none of their own.
import { setUp } from '../common.ts';

setUp();
