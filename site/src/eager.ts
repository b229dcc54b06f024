// All that the first picture of a stage needs, so that it becomes one file.
import './i18n.ts';
import './state.ts';
import './frame.ts';
import './keys.ts';
import './parts/inspector.ts';
import './parts/score.ts';
import './parts/shell.ts';
import './parts/stage.ts';
import './record.ts';
import './theme.ts';
import './keep.ts';
import './core.ts';
