package server

import (
	"errors"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// Why a process ends over /feature: the first reading did not come in time, the node demands features that a stock 2.8.2
// does not support, or it is older than what was read before.
var (
	errFeatureTimeout     = errors.New("timed out waiting for the first reading of " + zkdata.FeaturePath)
	errFeatureUnsupported = errors.New("the finalized features in " + zkdata.FeaturePath + " are incompatible with the supported ones, of which there are none")
	errFeatureOlder       = errors.New("the version of " + zkdata.FeaturePath + " is lower than the one in the feature cache")
)

// featureListener keeps the cache of finalized features up to date, on a thread of its own.
// Kafka: FinalizedFeatureChangeListener with FinalizedFeatureCache.
type featureListener struct {
	e          env.Env
	zk         *zkclient.Client
	version    int32 // of /feature in the cache, -1 while it is empty
	updates    int   // readings asked for
	read       bool  // the first one is done
	closed     bool
	terminated bool
	failed     func(error)
}

const featureHandler = "change-notification-" + zkdata.FeaturePath

// init starts the thread, watches /feature and waits for the first reading, at most for ms. Kafka: initOrThrow.
func (l *featureListener) init(ms int64) error {
	l.e.Go("feature", l.run)
	update := func() { l.updates++ }
	l.zk.RegisterStateChangeHandler(zkclient.StateChangeHandler{Name: featureHandler, AfterInitializingSession: update})
	_, err := l.zk.RegisterZNodeChangeHandlerAndCheckExistence(zkdata.FeaturePath,
		zkclient.ZNodeChangeHandler{Created: update, Deleted: update, DataChanged: update})
	if err != nil {
		return err
	}
	update()
	late := false
	cancel := l.e.After(env.Timer{Name: "feature", MS: ms, Quiet: true}, func() { late = true })
	l.e.Wait("feature", func() bool { return l.read || l.terminated || late })
	cancel()
	if !l.read {
		return errFeatureTimeout
	}
	return nil
}

func (l *featureListener) run() {
	for {
		l.e.Wait("feature", func() bool { return l.updates > 0 || l.closed })
		if l.closed {
			break
		}
		l.updates--
		if err := l.update(); err != nil && !l.closed {
			l.failed(err)
			break
		}
		l.read = true
	}
	l.terminated = true
}

// update reads /feature into the cache. A missing node, a disabled status and data that cannot be read empty it.
// Kafka: FeatureCacheUpdater.updateLatestOrThrow.
func (l *featureListener) update() error {
	data, version, err := l.zk.GetDataAndVersion(zkdata.FeaturePath)
	if err != nil {
		return err
	}
	f, undecodable := zkdata.DecodeFeature(data)
	switch {
	case version < 0 || undecodable != nil || f.Status == zkdata.FeatureDisabled:
		l.version = -1
	case version < l.version:
		return errFeatureOlder
	case len(f.Features) > 0:
		return errFeatureUnsupported
	default:
		l.version = version
	}
	return nil
}

// updateFeatures hands updates to the controller. Kafka: KafkaApis.handleUpdateFeatures.
func (s *Server) updateFeatures(r request.UpdateFeatures, reply func(request.Response)) {
	if s.set.protocol < kafka.V2_7_IV0 {
		reply(request.UpdateFeaturesResponse{Error: kafka.INVALID_REQUEST, Message: "Feature versioning system is disabled."})
		return
	}
	s.controller.UpdateFeatures(r.Updates, func(answer request.UpdateFeaturesResponse) { reply(answer) })
}

// close stops the thread and waits for its end.
func (l *featureListener) close() {
	l.zk.UnregisterStateChangeHandler(featureHandler)
	l.zk.UnregisterZNodeChangeHandler(zkdata.FeaturePath)
	l.closed = true
	l.e.Wait("feature-closed", func() bool { return l.terminated })
}
