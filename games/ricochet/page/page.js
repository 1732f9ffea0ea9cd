// What Rasende Roboter adds to the page: drawings, input for robots, rounds against the computer, an editor and a solver.

import { look, robotName } from './look.js';

/** @type {import('../../types').GameModule} */
export default {
  look,
  homeSpeed: 1.1,
  watchSpeed: 1,
  moveSound: 'slide',
  hand: async () => new (await import('./hand.js')).RobotHand(),
  movedPiece(action, frame, sprites) {
    const [robot] = action.split(' ');
    return frame.pieces.find((piece) => robotName(sprites[piece[3]].colour) === robot);
  },
  rounds: {
    tab: 'Rounds against the computer',
    levelsTab: 'Single missions',
    mount: async (root, game, query) => (await import('./rounds.js')).mount(root, game, query),
  },
  editor: {
    format: 'json',
    shown: 'drawn',
    open: async (desk) => new (await import('./editor.js')).MissionEditor(desk),
  },
  boards: [{ name: 'ricochet', text: 'Rasende Roboter', load: () => import('./solve.js') }],
};
