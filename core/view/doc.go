// Package view derives from the world document what pictures need, so that a page can draw a recorded trace without
// knowing Kafka: short values of znodes, the marks between what a controller believes and what ZooKeeper says, bells,
// chips, lanes, counts and metrics. Everything is a function of the document: Full computes it from scratch, a Projector
// keeps it up to date at the cost of a step's diff.
//
// # The paths
//
// PATH is a znode, B, N and TO are broker ids, TP is a partition ("orders-0"). A path is absent when it has nothing to say.
//
//	view/row/PATH/at          {label, depth, order, fold}: the line of a znode in the ledger. label is the name as shown,
//	                          depth its indentation, order sorts lines as text, fold says that it is shown only on demand.
//	                          A line exists while its znode exists, or is watched, or is believed to exist
//	view/row/PATH/value       what the znode says in short ("brokerid 0", "1 [1,2,0] e0"); absent for an absent znode
//	view/row/PATH/brief       the same without what the kind of line implies ("0", "1 [1,2,0]"), when it differs
//	view/bell/PATH/KIND       {armed, blind}: how many watches of the kind data|child are armed there, and the clients that
//	                          have a handler and a living session but no watch: they will not hear of the next change
//	view/controller/B         active | stale, for each broker that thinks it is the controller; stale when ZooKeeper names
//	                          another one or has counted a later epoch
//	view/lead                 the broker whose beliefs come first: the active controller, else the stale one with the
//	                          latest epoch
//	view/belief/B/PATH        {field, value, brief, mark, from}: what controller B believes about PATH. field is Kafka's name
//	                          of the ControllerContext field; mark is "=" or "≠", "" for the head line of a group; from is
//	                          the document path where the belief stands
//	view/mismatch/B           how many of these marks are "≠"
//	view/chart/B/KIND/STATE   how many partitions (KIND partition) or replicas (replica) are in STATE as B believes; the
//	                          members are ctx/B/partitionStates and ctx/B/replicaStates
//	view/broker/B             the broker's state with Kafka's name and number: "RUNNING (3)"
//	view/chip/B/TP            {state, role, isr, zk, ctl, log}: one replica. state as the lead controller believes; role
//	                          leader|follower is what the broker really does, "" nothing; isr as the state znode says;
//	                          zk and ctl say whether ZooKeeper's and the lead's assignment list it; log, whether it is on disk
//	view/partition/TP         {zk, ctl, really, produce}: the leader that ZooKeeper and the lead controller name (-1 none),
//	                          what the broker that ZooKeeper names really does (leader|follower|nothing|down), and the
//	                          answer to a producer that believes ZooKeeper (NONE or an error)
//	view/lane/B>TO/ID         {code, state, controllerEpoch, brokerEpoch, error}: a request between controller and broker. code
//	                          is LI, UM, SR, SR✕ (with a deletion), CS or AI; state queued|flight|waiting|answer
//	view/tray/B>TO/MACHINE.KIND  code of what a batch tray holds for TO
//	view/ring/CLIENT          the session a client uses now, or used last
//	view/notice/PATH/B        {over, done, age, old}: a notification of a config change to broker B. over is the tagged time
//	                          after which B's own clock finds it older than 15 minutes, done says that B's
//	                          lastExecutedChange has reached it; age (ms, by that clock) and old only while B passes over them
//	view/behind/PATH/B        "≠" while broker B, which listens to config changes, has not applied what the config znode PATH
//	                          says; absent when it has, and where the config does not concern it
//	view/watching             {armed, naive}: the watches armed for config changes, and those that a design without
//	                          notifications would need: one of each broker on each config znode
//	view/metric/MBEAN/B       a gauge under its JMX name
//
// # Ages of notices
//
// The age of a notice by the clock of broker B after any step is 15 min + (sim.Epoch + vtime_ms) - view/notice/PATH/B.over;
// the broker's own clock shows sim.Epoch + vtime_ms + clock/B. The rest of the picture stands in the document as it is:
// notices/B/PATH has lastExecutedChange (last), the work item (asked) and whether a pass runs (now); config/B/TYPE/NAME what
// the broker applied. A notice that was deleted is known from the step that did it (notice.purge).
package view
